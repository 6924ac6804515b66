import type { Value } from '@terrane/cty';
import type { Expression, Range, Source } from '@terrane/hcl';
import type { PolicyKind, PolicyOperation } from '../language/model.ts';

/** A mock: an object that policies are evaluated for, with the expected outcome. */
export interface MockObject {
  readonly kind: PolicyKind;
  /** resource type, provider type or module source */
  readonly target: string;
  readonly name: string;
  /** such as `resource.aws_s3_bucket.encrypted` */
  readonly address: string;
  readonly range: Range;
  readonly attrs?: Expression;
  readonly priorAttrs?: Expression;
  readonly meta?: Expression;
  readonly expectFailure?: Expression;
  readonly skip?: Expression;
  /** values of inputs for this mock only */
  readonly inputs: ReadonlyMap<string, Expression>;
}

/** A mocked data source. */
export interface MockData {
  readonly type: string;
  readonly name: string;
  readonly range: Range;
  readonly attrs: Expression;
}

/** A test file. */
export interface PolicyTestFile {
  readonly path: string;
  readonly source: Source;
  /** policy files and directories; undefined: all policies that were loaded */
  readonly targets?: { readonly paths: readonly string[]; readonly range: Range };
  readonly inputs: ReadonlyMap<string, Expression>;
  readonly locals: ReadonlyMap<string, Expression>;
  readonly objects: readonly MockObject[];
  readonly data: readonly MockData[];
}

/** A mock with its values. */
export interface EvaluatedMock {
  readonly object: MockObject;
  readonly operation: PolicyOperation;
  readonly attrs: Value;
  readonly priorAttrs: Value;
  readonly meta: Value;
  readonly expectsFailure: boolean;
  readonly isSkipped: boolean;
}
