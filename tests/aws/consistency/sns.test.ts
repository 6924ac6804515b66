import { testRules } from './run-rules.ts';
import { SNS } from './sns.rules.ts';

testRules(SNS);
