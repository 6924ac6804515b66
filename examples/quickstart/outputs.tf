output "release" {
  description = "The name of this release."
  value       = random_pet.release.id
}

output "addresses" {
  description = "Where to find each service."
  value       = { for name, service in module.service : name => service.address }
}

output "sign" {
  description = "The sign at the entrance."
  value       = terraform_data.sign.output.text
}

output "vault_token" {
  description = "The token of the vault, which is not shown."
  value       = module.service["vault"].token
  sensitive   = true
}
