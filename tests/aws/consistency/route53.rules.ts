import { minutes, seconds } from '@terrane/provider/sdk';
import { prerequisite } from './prerequisite.ts';
import { type ServiceRules, type WaitRule, xmlElement } from './rules.ts';

const NO_ZONE = {
  status: 404,
  code: 'NoSuchHostedZone',
  message: 'No hosted zone found with ID: Z1',
  anyMessage: true,
};

/** The wait for a change on all name servers. */
const inSync = (step: WaitRule['step']): WaitRule => ({
  kind: 'wait',
  step,
  service: 'route53',
  operation: /^GET \/2013-04-01\/change\/\w+$/,
  label: 'GetChange',
  pending: ['PENDING'],
  target: ['INSYNC'],
  show: xmlElement('Status'),
  delay: seconds(10),
  interval: seconds(15),
  limit: minutes(30),
});

/** Resource types of Route 53. */
export const ROUTE53: ServiceRules = {
  service: 'Route 53',
  types: [
    {
      type: 'aws_route53_zone',
      sources: [{ file: 'route53/wait.go', release: '5' }],
      subject: { written: (name) => ({ name: `${name}.example.com` }) },
      note: 'the delay is 10 to 30 s by chance; disabling DNSSEC before a deletion retries `KeySigningKeyInParentDSRecord` for 5 minutes',
      rules: [inSync('create'), inSync('delete')],
    },
    {
      type: 'aws_route53_record',
      sources: [
        { file: 'route53/record.go', release: '5' },
        { file: 'route53/wait.go', release: '5' },
      ],
      subject: {
        prepare: async (actors, name) => {
          const zone = { name: `${name}.example.com` };
          const made = await prerequisite(actors, 'aws_route53_zone', zone);
          return { zone_id: String(made['zone_id']), name: `www.${name}.example.com` };
        },
        written: () => ({ type: 'A', ttl: 60, records: ['192.0.2.1'] }),
        updated: () => ({ type: 'A', ttl: 60, records: ['192.0.2.2'] }),
      },
      note: 'the delay is 10 to 30 s by chance',
      rules: [
        {
          kind: 'retry',
          step: 'create',
          service: 'route53',
          operation: /^POST \/2013-04-01\/hostedzone\/\w+\/rrset\/?$/,
          label: 'ChangeResourceRecordSets',
          errors: [NO_ZONE],
          limit: minutes(1),
        },
        inSync('create'),
        inSync('update'),
        inSync('delete'),
        {
          kind: 'ignore',
          step: 'delete',
          service: 'route53',
          operation: /^POST \/2013-04-01\/hostedzone\/\w+\/rrset\/?$/,
          label: 'ChangeResourceRecordSets',
          errors: [
            {
              status: 400,
              code: 'InvalidChangeBatch',
              message: 'Tried to delete resource record set but it was not found',
            },
          ],
          limit: 0,
        },
      ],
    },
  ],
};
