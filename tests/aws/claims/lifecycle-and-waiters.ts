// Statements on the lifecycle of resources, on changed values and on asynchronous operations.
import {
  type Claim,
  CONSISTENCY,
  LATE_ERRORS,
  OBJECTS,
  OPERATIONS,
  PASSING_ERRORS,
  REMOTE_OBJECT,
  RULES,
  testsIn,
} from './claim.ts';

const QUEUES = testsIn('tests/aws/sqs.test.ts');
const SDK_WAITER = testsIn('providers/aws/src/request/sdk-waiter.test.ts');
const LAYOUT = testsIn('tests/aws/claims/layout.test.ts');
const KAFKA = testsIn('tests/aws/kafka.test.ts');

export const LIFECYCLE_AND_WAITERS: readonly Claim[] = [
  // Objects that do not exist everywhere yet
  {
    claim: 'an object that was just created may not be found for a while',
    tests: [OBJECTS('that was just created may be missing for a while')],
  },
  {
    claim: 'operations that rely on a change allow for services that have not realized it yet',
    tests: [RULES('retries ${…}')],
  },
  {
    claim: 'a read after a creation is retried while the service answers "not found"',
    tests: [
      REMOTE_OBJECT('a new object is awaited until it exists'),
      CONSISTENCY('a new object is read until it exists'),
    ],
  },
  {
    claim: 'a creation ends with a read, which sets computed attributes',
    tests: [QUEUES('leads a queue through its life')],
  },
  {
    claim: 'the read verifies that the service applied the configuration',
    tests: [OBJECTS('that is updated is polled until the written value is read')],
  },
  {
    claim: '"not found" is retried in the read although a wait for the creation came before it',
    tests: [RULES('treats ${…} as not yet visible')],
  },
  {
    claim: 'the time-out for a new object is two minutes by default',
    tests: [REMOTE_OBJECT('a new object that never appears is an error, and is not forgotten')],
  },
  {
    claim: '"not found" is only retried for new objects',
    tests: [OBJECTS('that is gone is removed from the state, with a warning, and looked for once')],
  },
  {
    claim: 'other errors of a read are not retried',
    tests: [
      CONSISTENCY('the classification recognizes not-found errors'),
      REMOTE_OBJECT('an error of another kind while an old object is missing ends the read'),
    ],
  },
  {
    claim: 'a read whose time is over without an answer is tried once more',
    tests: [
      PASSING_ERRORS('are retried once after the time-out, without the unanswered request'),
      CONSISTENCY('tries once more when no try was answered in time'),
    ],
  },
  {
    claim: 'an existing object that is not found is removed from the state, and logged',
    tests: [
      REMOTE_OBJECT(
        'an existing object that is missing counts as deleted, immediately, with a warning',
      ),
    ],
  },
  {
    claim: 'a new object that is not found in time is an error, and not removed from the state',
    tests: [
      REMOTE_OBJECT('a new object that never appears is an error, and is not forgotten'),
      CONSISTENCY('a new object that never appears is an error'),
    ],
  },
  {
    claim: 'an error of a read names the type and the id of the object',
    tests: [REMOTE_OBJECT('are retried for two minutes, and then reported')],
  },
  {
    claim: 'an answer without an object is an error',
    tests: [OBJECTS('that is missing from a response is an error that names it')],
  },
  {
    claim: 'the state is refreshed with what was read',
    tests: [QUEUES('leads a queue through its life')],
  },
  {
    claim: 'while a wait for a creation runs, "not found" means not yet, and no error',
    tests: [
      REMOTE_OBJECT('for a creation passes pending states, and reads without result'),
      RULES('treats ${…} as not yet visible'),
    ],
  },
  {
    claim: 'a creation that only retries its request treats "not found" as retryable',
    tests: [RULES('retries ${…}')],
  },
  {
    claim: 'a creation can retry everything that belongs to it in one place',
    tests: [
      LATE_ERRORS(
        'restart the operation: creation of a function whose role lacks permissions so far',
      ),
    ],
  },
  // Values that are changed
  {
    claim: 'a changed value is waited for until the requested value is read',
    tests: [
      OBJECTS('that is updated is polled until the written value is read'),
      OPERATIONS('is polled until an argument has the configured value'),
      RULES('waits ${…}'),
    ],
  },
  {
    claim: 'an object that is not found while a value is waited for is looked for again',
    tests: [RULES('treats ${…} as not yet visible')],
  },
  {
    claim: 'another error while a value is waited for ends the wait',
    tests: [REMOTE_OBJECT('ends with an error other than "not found"')],
  },
  {
    claim: 'an empty answer while a value is waited for means not yet',
    tests: [REMOTE_OBJECT('for a value takes an empty answer for "not yet"')],
  },
  {
    claim: 'a value is waited for two minutes by default',
    tests: [
      REMOTE_OBJECT('ends after two minutes, or five for deletions, or the time of the operation'),
    ],
  },
  {
    claim: 'a wait for a value returns the object that was read',
    tests: [REMOTE_OBJECT('for a value ends when the expected value is read')],
  },
  {
    claim: 'a value is only set and waited for where it changes',
    tests: [OBJECTS('is neither set nor waited for where it does not change')],
  },
  {
    claim: 'the error of such a wait names the object and the attribute',
    tests: [
      OBJECTS('that is updated is polled until the written value is read'),
      RULES('gives up after ${…} s'),
    ],
  },
  // Operations that continue after their answer
  {
    claim: 'a service may answer with success and continue to work on the request',
    tests: [OPERATIONS('is waited for, through the states on its way')],
  },
  {
    claim: 'progress is tracked by a status field of the object',
    tests: [RULES('waits ${…}')],
  },
  {
    claim: 'progress is tracked by an identifier of the operation',
    tests: [KAFKA('leads a cluster through its life'), RULES('waits ${…}')],
  },
  {
    claim: 'a resource waits for work in the background, without which others fail',
    tests: [
      OPERATIONS('is waited for, through the states on its way'),
      OPERATIONS('is tried again while something that is being deleted still depends on it'),
    ],
  },
  {
    claim: 'users can skip a wait where a resource type allows it',
    tests: [
      PASSING_ERRORS('are not waited for where the user does not want it: tasks that start'),
      REMOTE_OBJECT('is omitted on request'),
    ],
  },
  {
    claim: 'the waits of resource types that do not allow it cannot be skipped',
    tests: [LAYOUT('only steady states of services can be left out')],
  },
  {
    claim: 'a waiter that the SDK has for an operation can be used',
    tests: [
      OPERATIONS('is waited for with a waiter that the SDK has for it'),
      SDK_WAITER('polls until the object exists'),
    ],
  },
  {
    claim: 'the error of a waiter of the SDK names the object',
    tests: [SDK_WAITER('reports failures with the name of the object')],
  },
  {
    claim: 'time-out and polling can be set for waiters of the SDK as for all waits',
    tests: [
      SDK_WAITER('is polled with our own delays until it has completed'),
      SDK_WAITER('fails after the time-out'),
    ],
  },
  {
    claim: 'waits are made with one primitive for states',
    tests: [LAYOUT('services wait with the primitives of the library alone')],
  },
  {
    claim: 'waits and states of a service are in the folder of the service',
    tests: [LAYOUT('the waits of a service are in its folder')],
  },
  {
    claim: 'a status function treats "not found" as no object',
    tests: [REMOTE_OBJECT('for a deletion ends when the object is not found')],
  },
  {
    claim: 'a status function passes other errors on',
    tests: [REMOTE_OBJECT('ends with an error other than "not found"')],
  },
  {
    claim: 'a status function treats an empty answer as no object',
    tests: [REMOTE_OBJECT('for a value takes an empty answer for "not yet"')],
  },
  {
    claim: 'a wait for a creation has pending states, target states and a time-out',
    tests: [RULES('waits ${…}'), RULES('gives up after ${…} s')],
  },
  {
    claim: 'a wait for a creation returns the object',
    tests: [
      REMOTE_OBJECT('for a creation passes pending states, and reads without result'),
      CONSISTENCY('has the type of the awaited object'),
    ],
  },
  {
    claim: 'a wait for a deletion has pending states and no target, as the object disappears',
    tests: [
      OPERATIONS('is waited for until the object is gone'),
      REMOTE_OBJECT('for a deletion ends when the object is not found'),
    ],
  },
  {
    claim: 'a deletion is waited for five minutes by default',
    tests: [
      REMOTE_OBJECT('ends after two minutes, or five for deletions, or the time of the operation'),
    ],
  },
  {
    claim: 'a creation waits for the object before it is read',
    tests: [OPERATIONS('is waited for, through the states on its way')],
  },
  {
    claim: 'a creation whose wait fails is an error that names the object, which stays known',
    tests: [
      OPERATIONS('is not waited for in a state that is not on its way'),
      OPERATIONS('leaves an object behind that is known, where waiting for it fails'),
    ],
  },
  {
    claim: 'a deletion waits until the object is gone',
    tests: [OBJECTS('that is deleted is waited for until it is gone')],
  },
  {
    claim: 'a deletion whose wait fails is an error that names the object',
    tests: [RULES('gives up after ${…} s')],
  },
  {
    claim: 'status values are those of the SDK',
    tests: [LAYOUT('states of %s are values of its SDK, or in its consts.ts')],
  },
  {
    claim: 'status values that the SDK does not have are in one file of the service',
    tests: [LAYOUT('states of %s are values of its SDK, or in its consts.ts')],
  },
];
