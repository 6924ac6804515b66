resource "terraform_data" "base" {
  for_each = toset(["plain", "with space", "quo\"te", "sl/ash", "ünï"])
  input    = upper(each.value)
}

resource "terraform_data" "on_top" {
  for_each = terraform_data.base
  input    = "${each.key}=${each.value.output}"
}

output "all" {
  value = [for r in terraform_data.on_top : r.output]
}

output "one" {
  value = terraform_data.on_top["sl/ash"].output
}
