import type { Redirect, RoutingRule, WebsiteConfiguration } from '@aws-sdk/client-s3';
import { listBlock, type Resource, string, unknown } from '@terrane/provider/sdk';
import type { Aws } from '../clients/aws.ts';
import { jsonText } from '../json-policy/policy-text.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { regional } from '../resource/common-attributes.ts';
import { openBlocks } from '../resource/open-blocks.ts';
import { compact, list, many, firstBlock, orNone, text } from '../resource/block-values.ts';
import { websiteNames } from './bucket-names.ts';
import { bucketOf, ownerOf, PROPAGATION, putPart, whileBusy } from './bucket-part.ts';
import { NO_BUCKET } from './consts.ts';
import { routingRulesOf, routingText } from './website.ts';
import { conflicting, exactlyOneConfigured, lengthBetween, oneOf } from '../resource/validators.ts';

const single = { maxItems: 1 } as const;
const optional = string({ optional: true });
const protocol = string({ optional: true, validators: [oneOf('http', 'https')] });

interface Written {
  readonly bucket: string;
  readonly error_document: readonly object[];
  readonly index_document: readonly object[];
  readonly redirect_all_requests_to: readonly object[];
  readonly routing_rule: unknown;
  readonly routing_rules: unknown;
}

/** `aws_s3_bucket_website_configuration` */
export const bucketWebsite: Resource<Aws> = awsResource({
  type: 'S3 Bucket Website Configuration',
  notFound: [...NO_BUCKET, 'NoSuchWebsiteConfiguration'],
  attributes: {
    ...regional,
    bucket: string({ required: true, requiresReplace: true, validators: [lengthBetween(1, 63)] }),
    expected_bucket_owner: string({ optional: true, requiresReplace: true }),
    routing_rules: jsonText({ optional: true, computed: true }),
    website_domain: string({ computed: true }),
    website_endpoint: string({ computed: true }),
  },
  blocks: {
    error_document: listBlock({ key: string({ required: true }) }, single),
    index_document: listBlock({ suffix: string({ required: true }) }, single),
    redirect_all_requests_to: listBlock(
      { host_name: string({ required: true }), protocol },
      single,
    ),
    routing_rule: listBlock(
      {},
      {
        blocks: {
          condition: listBlock(
            { http_error_code_returned_equals: optional, key_prefix_equals: optional },
            single,
          ),
          redirect: listBlock(
            {
              host_name: optional,
              http_redirect_code: optional,
              protocol,
              replace_key_prefix_with: optional,
              replace_key_with: optional,
            },
            { minItems: 1, maxItems: 1 },
          ),
        },
      },
    ),
  },
  validators: [
    exactlyOneConfigured('index_document', 'redirect_all_requests_to'),
    conflicting('redirect_all_requests_to', 'error_document'),
    conflicting('redirect_all_requests_to', 'routing_rule'),
    conflicting('redirect_all_requests_to', 'routing_rules'),
    conflicting('routing_rule', 'routing_rules'),
  ],
  label: ({ bucket }) => bucket,

  plan({ config, state, changed }) {
    // The two notations of rules are equivalent in responses.
    if (config.routing_rule.length > 0 && (state === null || changed('routing_rule'))) {
      return { routing_rules: unknown() };
    }
    if (config.routing_rules !== null && (state === null || changed('routing_rules'))) {
      return { routing_rule: unknown() };
    }
    return openBlocks(['routing_rule'], config, state);
  },

  ...putPart<Written>((aws, to, plan) => {
    const [error, index] = [firstBlock(plan.error_document), firstBlock(plan.index_document)];
    const redirect = firstBlock(plan.redirect_all_requests_to);
    const rules = orNone(many(plan.routing_rule).map(requestedRule));
    const WebsiteConfiguration: WebsiteConfiguration = compact({
      ErrorDocument: error && { Key: text(error['key']) },
      IndexDocument: index && { Suffix: text(index['suffix']) },
      RedirectAllRequestsTo: redirect && {
        HostName: text(redirect['host_name']),
        ...compact({ Protocol: protocolOf(redirect['protocol']) }),
      },
      RoutingRules: rules ?? routingRulesOf(text(plan.routing_rules)),
    });
    return aws.s3.putBucketWebsite({ ...to, WebsiteConfiguration });
  }),

  async find({ aws, id }) {
    return await aws.s3.getBucketWebsite(bucketOf(id));
  },

  read: (website, { aws, id }) => ({
    ...ownerOf(id),
    ...websiteNames(aws, bucketOf(id).Bucket),
    error_document: list(website.ErrorDocument, ({ Key }) => ({ key: Key })),
    index_document: list(website.IndexDocument, ({ Suffix }) => ({ suffix: Suffix })),
    redirect_all_requests_to: list(website.RedirectAllRequestsTo, (to) => ({
      host_name: to.HostName,
      protocol: to.Protocol ?? '',
    })),
    routing_rule: (website.RoutingRules ?? []).map(({ Condition, Redirect: to }) => ({
      condition: list(Condition, (when) => ({
        http_error_code_returned_equals: when.HttpErrorCodeReturnedEquals ?? '',
        key_prefix_equals: when.KeyPrefixEquals ?? '',
      })),
      redirect: list(to, foundRedirect),
    })),
    routing_rules: routingText(website.RoutingRules),
  }),

  async delete({ aws, object, id }) {
    await object.operation('deleting', () => aws.s3.deleteBucketWebsite(bucketOf(id)), whileBusy());
  },

  gone: { timeout: PROPAGATION },
});

function protocolOf(value: unknown): 'http' | 'https' | undefined {
  return value === 'http' || value === 'https' ? value : undefined;
}

function requestedRule(rule: Readonly<Record<string, unknown>>): RoutingRule {
  const [when, to] = [firstBlock(rule['condition']), firstBlock(rule['redirect']) ?? {}];
  return {
    Redirect: compact({
      HostName: text(to['host_name']),
      HttpRedirectCode: text(to['http_redirect_code']),
      Protocol: protocolOf(to['protocol']),
      ReplaceKeyPrefixWith: text(to['replace_key_prefix_with']),
      ReplaceKeyWith: text(to['replace_key_with']),
    }),
    ...compact({
      Condition:
        when &&
        compact({
          HttpErrorCodeReturnedEquals: text(when['http_error_code_returned_equals']),
          KeyPrefixEquals: text(when['key_prefix_equals']),
        }),
    }),
  };
}

function foundRedirect(to: Redirect): object {
  return {
    host_name: to.HostName ?? '',
    http_redirect_code: to.HttpRedirectCode ?? '',
    protocol: to.Protocol ?? '',
    replace_key_prefix_with: to.ReplaceKeyPrefixWith ?? '',
    replace_key_with: to.ReplaceKeyWith ?? '',
  };
}
