export { type DriftRequest, findDrift } from './find-drift.ts';
export {
  type AppliedRule,
  DRIFT_LEVELS,
  type DriftedAttribute,
  type DriftEntry,
  type DriftLevel,
  type DriftLocation,
  type DriftReference,
  type DriftReport,
  isAtLeast,
  type PredictedAction,
  type PredictedChange,
  type Prediction,
  type ReportedValue,
} from './model.ts';
export { acceptanceText } from './report/acceptance-text.ts';
export { codeQualityJson } from './report/code-quality-json.ts';
export { type AnnotationHost, annotationLines, ANNOTATION_HOSTS } from './report/annotations.ts';
export { driftJson } from './report/drift-json.ts';
export { addressPattern, type Pattern } from './rules/address-pattern.ts';
export { driftText } from './report/drift-text.ts';
export { junitXml } from './report/junit-xml.ts';
export { sarifJson } from './report/sarif-json.ts';
