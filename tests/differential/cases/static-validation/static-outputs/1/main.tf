output "a" {}
output {}
output "1" { value = 1 }
output "a" "b" { value = 1 }
output "c" {
  value = 1
  valeu = 2
  description = 1
  sensitive = "x"
  ephemeral = true
}
output "d" {
  value = 1
  depends_on = ["terraform_data.x", var, var.nope, foo(), local.x, module.z]
}
output "e" {
  value = 1
  depends_on = terraform_data.x
  precondition {}
}
output "f" {
  value = 1
  postcondition {
    condition = true
    error_message = "x"
  }
}
output "g" {
  value = 1
  precondition {
    condition = self.x
    error_message = "x"
  }
  precondition {
    condition = 1 == 1
    error_message = "x"
  }
}
output "h" {
  value = terraform_data
}
output "i" {
  value = module.x
}
output "j" {
  value = var
}
output "k" { value = local }
output "l" { value = data }
output "m" { value = data.foo }
output "n" { value = path }
output "o" { value = path.nope }
output "p" { value = terraform.nope }
output "q" { value = each.key }
output "r" { value = count.index }
output "s" { value = self.x }
output "t" { value = resource.x }
output "u" { value = resource.terraform_data.x }
output "v" { value = template.x }
output "w" { value = lazy.x }
output "x" { value = arg.x }
output "y" { value = ephemeral.x.y }
output "z" { value = check.x }
