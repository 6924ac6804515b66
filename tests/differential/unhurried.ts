/** Without what both programs say only where taking or giving up the lock took them long, as on a busy machine. */
export function unhurried(output: string): string {
  return output
    .replace(/^(?:Acquiring|Releasing) state lock\. This may take a few moments\.\.\.\n/gm, '')
    .replace(/^\{[^\n]*"type":"state_lock_(?:acquire|release)"[^\n]*\}\n/gm, '');
}
