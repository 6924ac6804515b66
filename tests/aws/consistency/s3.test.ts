import { testRules } from './run-rules.ts';
import { S3 } from './s3.rules.ts';

testRules(S3);
