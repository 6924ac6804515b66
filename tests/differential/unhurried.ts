/** Removes the messages that both programs print only about locks and test runs that take long, as on a busy machine. */
export function unhurried(output: string): string {
  return output
    .replace(/^(?:Acquiring|Releasing) state lock\. This may take a few moments\.\.\.\n/gm, '')
    .replace(/^\{[^\n]*"type":"state_lock_(?:acquire|release)"[^\n]*\}\n/gm, '')
    .replace(
      /^\{[^\n]*"progress":"(?:running|teardown)","elapsed":[1-9]\d*[^\n]*"type":"test_run"[^\n]*\}\n/gm,
      '',
    );
}
