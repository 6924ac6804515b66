import { testRules } from './run-rules.ts';
import { SECRETS_MANAGER } from './secretsmanager.rules.ts';

testRules(SECRETS_MANAGER);
