import { LAMBDA } from './lambda.rules.ts';
import { testRules } from './run-rules.ts';

testRules(LAMBDA);
