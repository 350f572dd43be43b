// opening.js - chooses the first view to show if the address names none: one with data.

/** The view's id; null while nothing has arrived that any view could show. */
export function openingView(profile) {
  if (!profile.loaded) return null;
  if (profile.tree.length > 1 || profile.functions.some((fn) => fn?.calls > 0 || fn?.samples > 0)) return 'overview';
  if (profile.checkpoints.size > 0) return 'checkpoints';
  return profile.messages.length > 0 ? 'messages' : null;
}
