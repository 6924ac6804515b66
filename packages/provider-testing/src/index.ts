// Acceptance tests for providers
export { acceptanceTest } from './acceptance-test.ts';
export { AcceptanceFailure } from './failure.ts';
export type {
  ConfigStep,
  ExpectedAction,
  ExpectedChange,
  ExpectedPlan,
  ImportStep,
  ProviderUnderTest,
  RefreshStep,
  Snapshot,
  Step,
  TestCase,
} from './test-case.ts';

// Expected values
export type { Expected, ExpectedAttributes } from './expected.ts';
export { inAnyOrder, isSet } from './expected.ts';
export { UNKNOWN } from './plain-value.ts';
export type { Attributes, Plain } from './plain-value.ts';
