output "list" {
  value = toset([terraform_data.r.output])
}
