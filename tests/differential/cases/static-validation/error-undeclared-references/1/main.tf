locals {
  declared_local = 1
  object         = { a = 1 }
}
variable "declared_variable" {
  default = 1
}
resource "terraform_data" "declared" {}
resource "terraform_data" "counted" {
  count = 1
}
resource "terraform_data" "keyed" {
  for_each = { a = 1 }
}
module "m" {
  source = "./m"
}
module "many" {
  source = "./m"
  count  = 1
}
output "variable" { value = var.declared_variabel }
output "variable_far" { value = var.zzz }
output "local" { value = local.declared_locl }
output "local_far" { value = local.zzz }
output "resource" { value = terraform_data.absent.id }
output "resource_type" { value = aws_instance.x.id }
output "attribute" { value = terraform_data.declared.idd }
output "attribute_of_output" { value = terraform_data.declared.output.x }
output "data" { value = data.terraform_remote_state.absent.outputs }
output "module" { value = module.absent.x }
output "module_output" { value = module.m.absent }
output "module_counted_output" { value = module.many[0].absent }
output "module_without_index" { value = module.many.out }
output "counted_without_index" { value = terraform_data.counted.id }
output "keyed_without_index" { value = terraform_data.keyed.id }
output "not_counted_with_index" { value = terraform_data.declared[0].id }
output "object_attribute" { value = local.object.b }
output "path" { value = path.nowhere }
output "terraform" { value = terraform.version }
output "bare" { value = nothing }
output "self" { value = self.id }
output "each" { value = each.key }
output "count" { value = count.index }
output "in_try" { value = try(var.undeclared_in_try, 1) }
output "resource_only_type" { value = terraform_data }
