import { BOOL, NUMBER, STRING } from '@terrane/cty';
import type { AttributeSchema, BlockSchema } from '@terrane/provider';

function text(description: string): AttributeSchema {
  return { type: STRING, optional: true, description };
}

function truth(description: string): AttributeSchema {
  return { type: BOOL, optional: true, description };
}

/** The arguments of the `azurerm` backend, as those of Terraform 1.11. */
export const AZURERM_SCHEMA: BlockSchema = {
  attributes: {
    subscription_id: text('The Subscription ID where the Storage Account is located.'),
    resource_group_name: text('The Resource Group where the Storage Account is located.'),
    storage_account_name: text('The name of the storage account.'),
    container_name: text('The container name to use in the Storage Account.'),
    key: text('The blob key to use in the Storage Container.'),
    lookup_blob_endpoint: truth(
      'Whether to look up the storage account blob endpoint. This is necessary when the storage account uses the Azure DNS zone endpoint.',
    ),
    snapshot: truth('Whether to enable automatic blob snapshotting.'),
    environment: text(
      'The Cloud Environment which should be used. Possible values are public, usgovernment, and china. Defaults to public. Not used and should not be specified when `metadata_host` is specified.',
    ),
    metadata_host: text('The Hostname which should be used for the Azure Metadata Service.'),
    access_key: text('The access key to use when authenticating using a Storage Access Key.'),
    sas_token: text('The SAS Token to use when authenticating using a SAS Token.'),
    tenant_id: text('The Tenant ID to use when authenticating using Azure Active Directory.'),
    client_id: text('The Client ID to use when authenticating using Azure Active Directory.'),
    client_id_file_path: text('The path to a file containing the Client ID which should be used.'),
    endpoint: text(
      '`endpoint` is deprecated in favor of `msi_endpoint`, it will be removed in a future version of Terraform',
    ),
    client_certificate: text(
      'Base64 encoded PKCS#12 certificate bundle to use when authenticating as a Service Principal using a Client Certificate',
    ),
    client_certificate_path: text(
      'The path to the Client Certificate associated with the Service Principal for use when authenticating as a Service Principal using a Client Certificate.',
    ),
    client_certificate_password: text(
      'The password associated with the Client Certificate. For use when authenticating as a Service Principal using a Client Certificate',
    ),
    client_secret: text(
      'The Client Secret which should be used. For use When authenticating as a Service Principal using a Client Secret.',
    ),
    client_secret_file_path: text(
      'The path to a file containing the Client Secret which should be used. For use When authenticating as a Service Principal using a Client Secret.',
    ),
    use_oidc: truth('Allow OpenID Connect to be used for authentication'),
    ado_pipeline_service_connection_id: text('The Azure DevOps Pipeline Service Connection ID.'),
    // The next four as in OpenTofu 1.11 and 1.12; the first is its name of the argument above.
    ado_service_connection_id: text('The Azure DevOps Service Connection ID.'),
    timeout_seconds: {
      type: NUMBER,
      optional: true,
      description: 'The most seconds that a request may take; 300 by default',
    },
    encryption_scope: text('The encryption scope of the storage account to encrypt states with.'),
    customer_provided_key: {
      type: STRING,
      optional: true,
      sensitive: true,
      description: 'A key of AES-256 in base64, kept by its user, to encrypt states with',
    },
    oidc_request_token: text(
      'The bearer token for the request to the OIDC provider. For use when authenticating as a Service Principal using OpenID Connect.',
    ),
    oidc_request_url: text(
      'The URL for the OIDC provider from which to request an ID token. For use when authenticating as a Service Principal using OpenID Connect.',
    ),
    oidc_token: text(
      'The OIDC ID token for use when authenticating as a Service Principal using OpenID Connect.',
    ),
    oidc_token_file_path: text(
      'The path to a file containing an OIDC ID token for use when authenticating as a Service Principal using OpenID Connect.',
    ),
    use_msi: truth('Allow Managed Identity to be used for Authentication.'),
    msi_endpoint: text(
      'The path to a custom endpoint for Managed Identity - in most circumstances this should be detected automatically.',
    ),
    use_cli: truth('Allow Azure CLI to be used for Authentication.'),
    use_aks_workload_identity: truth(
      'Allow Azure AKS Workload Identity to be used for Authentication.',
    ),
    use_azuread_auth: truth(
      'Whether to use Azure Active Directory authentication to access the Storage Data Plane APIs.',
    ),
  },
  blocks: {},
};
