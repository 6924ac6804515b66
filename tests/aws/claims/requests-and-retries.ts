// Statements on the retry primitives, on requests to services, and on errors of propagation.
import {
  type Claim,
  CONSISTENCY,
  LATE_ERRORS,
  OBJECTS,
  OPERATIONS,
  PASSING_ERRORS,
  REQUESTS,
  REMOTE_OBJECT,
  RULES,
  testsIn,
} from './claim.ts';

const HELPER = testsIn('packages/provider/src/consistency/helper-retry.test.ts');
const STRATEGY = testsIn('providers/aws/src/request/retry-strategy.test.ts');
const RETRYABLE = testsIn('providers/aws/src/request/retryable.test.ts');
const KAFKA = testsIn('tests/aws/kafka.test.ts');
const HANDLER = testsIn('packages/aws-access/src/request-handler.test.ts');
const FAILURE = testsIn('packages/aws-access/src/sdk-failure.test.ts');
const CONFIGURATION = testsIn('tests/aws/configuration.test.ts');

const CLASSIFIED = RETRYABLE('tells by the error whether a request is tried again: %s');

export const REQUESTS_AND_RETRIES: readonly Claim[] = [
  // When the remote system has to be called again
  {
    claim: 'a request that never reaches the remote system is sent again',
    tests: [REQUESTS('are retried ten times for an unreachable host, which takes half a minute')],
  },
  {
    claim: 'a request that the remote system cannot handle for now is sent again',
    tests: [REQUESTS('are tried again after %s')],
  },
  {
    claim: 'further requests are made where the remote system needs them to succeed',
    tests: [OPERATIONS('is waited for, through the states on its way')],
  },
  // The primitives
  {
    claim: 'one wait primitive repeats an operation until a desired value is received',
    tests: [HELPER('as the plugin SDK: $name')],
  },
  {
    claim: 'the state of a wait is any value, not the Terraform state',
    tests: [REMOTE_OBJECT('for a value ends when the expected value is read')],
  },
  {
    claim: 'a wait continues in expected values, until a target value',
    tests: [
      REMOTE_OBJECT('for a creation passes pending states, and reads without result'),
      RULES('waits ${…}'),
    ],
  },
  {
    claim: 'an unexpected value ends a wait with an error',
    tests: [OPERATIONS('is not waited for in a state that is not on its way')],
  },
  {
    claim: 'the error of an unexpected value can carry further details',
    tests: [
      CONSISTENCY('reports the reason of an unexpected state, and the object'),
      RULES('fails in state ${…} ${…}'),
    ],
  },
  {
    claim: 'a target value can be required several times in succession',
    tests: [RULES('requires ${…} matches in a row')],
  },
  {
    claim: 'the first poll can be delayed, and the time between polls set',
    tests: [RULES('waits ${…}'), HELPER('as the plugin SDK: $name')],
  },
  {
    claim: 'a retry primitive wraps the wait primitive, for retries by error',
    tests: [CONSISTENCY('uses the classification')],
  },
  {
    claim: 'retries can be cancelled by the context',
    tests: [CONSISTENCY('is cancelled immediately')],
  },
  // The layers of a request
  {
    claim: 'requests are sent by the host, with the headers of the SDK, and signed',
    tests: [
      CONFIGURATION('receives the user agent'),
      HANDLER('sends the signed request of the SDK'),
    ],
  },
  {
    claim: 'inputs become URIs, form data, XML or JSON, and answers are parsed',
    tests: [testsIn('tests/aws/fault-proxy.test.ts')('forwards requests that no fault matches')],
  },
  {
    claim: 'requests are in the debug log',
    tests: [REQUESTS('are logged with their parameters, without secrets')],
  },
  {
    claim: 'the request id of an answer is known, for support',
    tests: [REQUESTS('name the failed request and its ID in errors')],
  },
  {
    claim: 'answers become errors of the operation, with the code of the service',
    tests: [FAILURE('formats %s')],
  },
  {
    claim: 'the resource receives the output or the error after automatic retries',
    tests: [REQUESTS('are tried again after %s')],
  },
  // Automatic retries of the client
  {
    claim: 'automatic retries back off exponentially',
    tests: [STRATEGY('wait twice as long each time, up to five minutes')],
  },
  { claim: 'certain network errors are retried', tests: [CLASSIFIED] },
  {
    claim: 'connection reset errors are not retried',
    tests: [REQUESTS('are not tried again when the connection was reset, as the work may be done')],
  },
  {
    claim: 'HTTP status 429 is retried',
    tests: [CLASSIFIED, REQUESTS('are tried again after %s')],
  },
  {
    claim: 'HTTP status 5xx is retried',
    tests: [CLASSIFIED, REQUESTS('are tried again after %s')],
  },
  {
    claim: 'codes of throttling that are common to services are retried',
    tests: [CLASSIFIED, REQUESTS('are tried again after %s')],
  },
  {
    claim: 'expired credentials are not retried',
    tests: [CLASSIFIED, REQUESTS('are not tried again with credentials that have run out')],
  },
  {
    claim: 'max_retries of the provider block sets the maximum number of retries',
    tests: [
      REQUESTS('are tried again after %s'),
      STRATEGY(
        'that are throttled are tried again as often as is configured, and refused ones less often',
      ),
    ],
  },
  {
    claim: 'the default is 25 retries, which take about an hour',
    tests: [REQUESTS('are retried 25 times by default, which takes about an hour')],
  },
  {
    claim: 'an operation timeout of 20 minutes does not cancel the retries of a request',
    tests: [
      REQUESTS('may take longer than operations do'),
      REMOTE_OBJECT(
        'the total time-out does not cancel an operation whose client retries for longer',
      ),
    ],
  },
  {
    claim:
      'network errors that retries cannot remedy are retried 10 times, which takes about 30 seconds',
    tests: [REQUESTS('are retried ten times for an unreachable host, which takes half a minute')],
  },
  {
    claim: 'hooks add retryable errors to all operations of a service',
    tests: [
      RETRYABLE('retries errors of the complete service %s: %s %s'),
      KAFKA('is the only service whose such errors pass'),
    ],
  },
  {
    claim: 'too many requests to MSK are retried by such a hook',
    tests: [KAFKA('is retried when cluster updates are throttled')],
  },
  // Eventual consistency
  {
    claim: 'outdated information after a change is not taken for the result',
    tests: [OBJECTS('that is updated is polled until the written value is read')],
  },
  {
    claim: 'outdated errors after a change are not taken for the result',
    tests: [OBJECTS('that was just created may be missing for a while')],
  },
  {
    claim: 'the state after an apply matches the planned values',
    tests: [OPERATIONS('is polled until an argument has the configured value')],
  },
  {
    claim: 'attributes are read back after each creation and update, so that drift is detected',
    tests: [testsIn('tests/aws/lives.test.ts')('are complete, or state the reason: %s')],
  },
  // Operation-specific retries
  {
    claim: 'operations whose prerequisites are not visible yet are retried after a few seconds',
    tests: [
      PASSING_ERRORS('are tried again: a queue that was deleted a moment ago'),
      RULES('retries ${…}'),
    ],
  },
  {
    claim: 'such retries have a low limit, of two to five minutes',
    tests: [
      REMOTE_OBJECT('are retried for two minutes, and then reported'),
      RULES('reports the last error when ${…} s are over'),
    ],
  },
  {
    claim: 'the limits are constants that are documented',
    tests: [
      testsIn('tests/aws/consistency/page.test.ts')('the page has the rules that the tests run'),
    ],
  },
  {
    claim: 'an error is retried only if its code and its message match',
    tests: [RULES('reports the same code with another message at once')],
  },
  {
    claim: 'other errors end the retries at once',
    tests: [
      REMOTE_OBJECT('of other kinds end it immediately'),
      RULES('reports other errors at once'),
    ],
  },
  {
    claim: 'one more attempt follows if the limit is over before any attempt was answered',
    tests: [
      REMOTE_OBJECT('without a completed attempt are followed by one more after the time-out'),
      PASSING_ERRORS('are followed by a last try where time was over before any try had ended'),
    ],
  },
  {
    claim: 'the result of the last attempt replaces the time-out error',
    tests: [CONSISTENCY('reports the error of the last attempt')],
  },
  {
    claim: 'the last attempt does not run beside the attempt that was given up',
    tests: [
      PASSING_ERRORS('are followed by a last try after time-out, with the first one ended'),
      PASSING_ERRORS('are retried once after the time-out, without the unanswered request'),
    ],
  },
  {
    claim: 'errors have context: the operation and the object',
    tests: [REMOTE_OBJECT('reports an unexpected state with its reason')],
  },
  // Propagation of IAM
  {
    claim: 'an IAM role that is reported as not existing is retried',
    tests: [PASSING_ERRORS('are tried again: a role that IAM does not know everywhere yet')],
  },
  {
    claim: 'an IAM role that a service cannot assume yet is retried',
    tests: [
      PASSING_ERRORS('are tried again: a role of a function that Lambda has not heard of'),
      PASSING_ERRORS('are tried again: a role that scaling cannot assume yet'),
      PASSING_ERRORS('are tried again: a role of a service that has just been made'),
    ],
  },
  {
    claim: 'an IAM role without sufficient permissions yet is retried',
    tests: [
      LATE_ERRORS(
        'restart the operation: creation of a function whose role lacks permissions so far',
      ),
    ],
  },
  {
    claim: 'the errors of propagation differ between services and operations',
    tests: [RULES('retries ${…}')],
  },
  {
    claim: 'a role, its policy and a resource that uses it can be created in one apply',
    tests: [PASSING_ERRORS('are tried again: a role of a function that Lambda has not heard of')],
  },
  {
    claim: 'IAM errors are retried for two minutes',
    tests: [REMOTE_OBJECT('are retried for two minutes, and then reported')],
  },
  {
    claim: 'updates retry IAM errors as creations do',
    tests: [
      LATE_ERRORS(
        'restart the operation: update of a function whose role lacks permissions so far',
      ),
    ],
  },
  // Propagation and asynchronous operations
  {
    claim: 'an operation that fails retryably while its status is polled is started over',
    tests: [
      LATE_ERRORS(
        'restart the operation: creation of a function whose role lacks permissions so far',
      ),
    ],
  },
  {
    claim: 'the time for propagation and the time of the operation are limited separately',
    tests: [
      REMOTE_OBJECT('are retried if it began within the propagation time, however long it takes'),
      CONSISTENCY('tries again only within the propagation time-out'),
    ],
  },
  {
    claim:
      'propagation errors are final after the propagation time, though the operation has time left',
    tests: [
      REMOTE_OBJECT('are final after it, though the operation has time left'),
      LATE_ERRORS(
        'end it where it did not begin within the time of propagation, though its own is not over',
      ),
    ],
  },
  {
    claim: 'the stop time of propagation is measured from the start of the first attempt',
    tests: [
      PASSING_ERRORS(
        'are tried again when they show at the end of something long that began in time',
      ),
    ],
  },
  {
    claim: 'other errors of the operation or of its status end it at once',
    tests: [CONSISTENCY('a plain error is final without a classification')],
  },
  {
    claim: 'the whole, propagation and operation, has one outer limit',
    tests: [CONSISTENCY('the outer deadline bounds the propagation time-out')],
  },
];
