/** Removes what both programs print only on a busy machine: waits for locks, progress of what takes long, and durations. */
export function unhurried(output: string): string {
  return output
    .replace(/^(?:Acquiring|Releasing) state lock\. This may take a few moments\.\.\.\n/gm, '')
    .replace(/^\{[^\n]*"type":"state_lock_(?:acquire|release)"[^\n]*\}\n/gm, '')
    .replace(
      /^\{[^\n]*"progress":"(?:running|teardown)","elapsed":[1-9]\d*[^\n]*"type":"test_run"[^\n]*\}\n/gm,
      '',
    )
    .replace(/^[^\n]*: Still [^\n]*\.\.\. \[[^\n]*\belapsed\][^\n]*\n/gm, '')
    .replace(/ (complete|errored) after (?:\d+h)?(?:\d+m)?\d+s/g, ' $1 after 0s');
}
