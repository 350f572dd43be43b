// within.mjs - an end to what may wait without one: some of what a browser is asked for has no limit of its own.

/** What `promise` comes to, or an error when it has not after `ms` milliseconds. */
export async function within(ms, promise) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`It has not ended after ${ms / 1000} s.`)), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
