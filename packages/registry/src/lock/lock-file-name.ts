/** The name of the lock file, in the directory of the root module. */
export const LOCK_FILE = '.terraform.lock.hcl';
