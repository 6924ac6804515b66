// What function.zip holds. The runtime has the client of the SDK.
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';

const sqs = new SQSClient();

export async function handler(event) {
  for (const { Sns } of event.Records ?? []) {
    const message = { QueueUrl: process.env.QUEUE_URL, MessageBody: Sns.Message };
    await sqs.send(new SendMessageCommand(message));
  }
}
