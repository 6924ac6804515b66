resource "terraform_data" "a" { input = "a" }
output "waits" {
  value      = "known"
  depends_on = [terraform_data.a, module.m]
}
output "conditions" {
  value = terraform_data.a.output
  precondition {
    condition     = terraform_data.a.output == "a"
    error_message = "Not a."
  }
  precondition {
    condition     = terraform_data.a.id != ""
    error_message = "No id."
  }
}
module "m" { source = "./m" }
output "m" {
  description = "from m"
  value       = module.m.value
}
