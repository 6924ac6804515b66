/**
 * The header with which Terrane requests progress notes of a call from a plugin; its value identifies the call. Plugins
 * of other vendors ignore it.
 */
export const PROGRESS_HEADER = 'terrane-progress';

/**
 * The channel of `StreamStdio` for progress notes, as JSON: `{"call":"1","note":"…"}`. Channels 1 and 2 are the
 * standard streams.
 */
export const PROGRESS_CHANNEL = 100;

/** The longest note that is passed on. */
export const MAX_NOTE_LENGTH = 500;
