import type { AwsFailure } from './aws-answer.ts';

/** Responses of services to transient faults. */
export const THROTTLED: AwsFailure = { status: 400, code: 'Throttling', message: 'Rate exceeded' };
/** As `THROTTLED`, by its status alone. */
export const TOO_MANY: AwsFailure = {
  status: 429,
  code: 'SomethingElse',
  message: 'Later, please',
};
/** A fault of the service. */
export const INTERNAL: AwsFailure = { status: 500, code: 'InternalFailure', message: 'It is us' };
/** The service is not there for now. */
export const UNAVAILABLE: AwsFailure = {
  status: 503,
  code: 'ServiceUnavailable',
  message: 'Later, please',
};
/** The session has ended. */
export const EXPIRED: AwsFailure = {
  status: 403,
  code: 'ExpiredToken',
  message: 'The security token included in the request is expired',
};
/** A role that Lambda has not heard of yet. */
export const ROLE_NOT_ASSUMABLE: AwsFailure = {
  status: 400,
  code: 'InvalidParameterValueException',
  message: 'The role defined for the function cannot be assumed by Lambda.',
};
