// within.mjs - adds a time limit to a promise: some requests to a browser have none.

/** Returns the result of `promise`, or throws if it has not settled after `ms` milliseconds. */
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
