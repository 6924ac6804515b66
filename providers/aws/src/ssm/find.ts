import type { Parameter, ParameterMetadata } from '@aws-sdk/client-ssm';
import { EmptyResponseError } from '@terrane/provider/sdk';
import type { RegionalAws } from '../clients/aws.ts';
import { only, pages } from '../resource/only.ts';

/** A parameter with its value, by its name or ARN. */
export async function parameterOf(
  aws: RegionalAws,
  name: string,
  decrypted = true,
): Promise<Parameter> {
  const answer = await aws.ssm.getParameter({ Name: name, WithDecryption: decrypted });
  if (answer.Parameter === undefined) throw new EmptyResponseError();
  return answer.Parameter;
}

/** Returns the properties of a parameter without its value. */
export async function metadataOf(aws: RegionalAws, name: string): Promise<ParameterMetadata> {
  const ParameterFilters = [{ Key: 'Name', Option: 'Equals', Values: [name] }];
  const metadata = await pages(
    (NextToken) =>
      aws.ssm.describeParameters({
        ParameterFilters,
        ...(NextToken !== undefined && { NextToken }),
      }),
    (page) => page.Parameters,
  );
  return only(metadata);
}
