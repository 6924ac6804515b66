variable "n" {
  default = 2
}
variable "keys" {
  type    = set(string)
  default = ["a", "b"]
}
resource "terraform_data" "counted" {
  count = var.n
}
resource "terraform_data" "each" {
  for_each = var.keys
}
resource "terraform_data" "by_index" {
  input = terraform_data.counted[1].id
}
resource "terraform_data" "by_key" {
  input = terraform_data.each["b"].id
}
resource "terraform_data" "by_splat" {
  input = [terraform_data.counted[*].id, [for k, e in terraform_data.each : k], try(terraform_data.counted[1].id, "none")]
}
resource "terraform_data" "trigger" {
  lifecycle {
    replace_triggered_by = [terraform_data.counted[1]]
  }
}
output "o" {
  value = terraform_data.each["b"].id
}
