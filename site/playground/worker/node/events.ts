/** Browsers do not limit the listeners of a signal. */
export function setMaxListeners(): void {}
