/**
 * The header by which Terrane asks a plugin for the progress of a call; its value names the call. Plugins of other
 * makers ignore it.
 */
export const PROGRESS_HEADER = 'terrane-progress';

/** The channel of `StreamStdio` on which the notes come, as JSON: `{"call":"1","note":"…"}`. Streams are 1 and 2. */
export const PROGRESS_CHANNEL = 100;

/** The longest note that is passed on. */
export const LONGEST_NOTE = 500;
