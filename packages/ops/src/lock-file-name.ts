/** The name of the file that records which providers were chosen. */
export const LOCK_FILE = '.terraform.lock.hcl';
