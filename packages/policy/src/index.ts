export * from './language/model.ts';
export { decodePolicyFile } from './language/decode-policy-file.ts';
export {
  loadPolicies,
  type LoadedPolicies,
  POLICY_SUFFIX,
  TEST_SUFFIX,
} from './language/load-policies.ts';
export type { EnforcementResult, PolicyOutcome, PolicyResult } from './evaluate/result.ts';
export { worstOutcome } from './evaluate/result.ts';
export {
  type FiledPolicy,
  inputValues,
  LanguageFunctions,
  PolicyEvaluation,
  PolicySet,
  undeclaredInputs,
} from './evaluate/policy-set.ts';
export { type PolicyWorld, ResourceSet } from './evaluate/world.ts';
export {
  type PolicyTestPorts,
  type PolicyTestRequest,
  runPolicyTests,
  type TestedMock,
  type TestedPolicies,
  type TestedPolicyFile,
} from './testing/run-policy-tests.ts';
export type { EnforcementCoverage, PolicyCoverage } from './testing/coverage.ts';
export {
  policyCoverageText,
  policyTestDiagnostics,
  policyTestFileText,
  policyTestsJson,
  policyTestsJunit,
  policyTestSummaryText,
} from './report/tests.ts';
export { validatePolicies, type ValidatedPolicies } from './run/validate-policies.ts';
export type {
  Checker,
  CheckerResult,
  JudgedObject,
  Judgement,
  PerformedOverride,
  PolicyMoment,
  PolicyOverride,
  PolicyReport,
} from './run/model.ts';
export { openPolicies, type OpenedPolicies, type PolicyRequest } from './run/open-policies.ts';
export { PolicyInspector, type PolicyInspectorOptions } from './run/policy-inspector.ts';
export { type PolicyCounts, policyCounts, policyReportJson } from './report/report-json.ts';
export { policyReportSarif } from './report/report-sarif.ts';
export { type PolicyStreamMessage, policyStreamMessages } from './report/report-stream.ts';
export { policyReportText } from './report/report-text.ts';
