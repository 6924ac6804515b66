// The content of function.zip. Failing jobs stay in the queue and are retried.
export async function handler(event) {
  const failed = [];
  for (const { messageId, body } of event.Records ?? []) {
    try {
      console.log('doing', JSON.parse(body));
    } catch {
      failed.push({ itemIdentifier: messageId });
    }
  }
  return { batchItemFailures: failed };
}
