import { testRules } from './run-rules.ts';
import { DYNAMODB } from './dynamodb.rules.ts';

testRules(DYNAMODB);
