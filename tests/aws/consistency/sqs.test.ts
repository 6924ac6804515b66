import { testRules } from './run-rules.ts';
import { SQS } from './sqs.rules.ts';

testRules(SQS);
