output "a" {
  precondition {
    condition     = self.a
    error_message = "x"
  }
  postcondition {
    condition     = true
    error_message = "x"
  }
  value = 1
  foo = 2
  depends_on = ["x", terraform_data.nope, var.x, 5]
}
output "b" {
  value = output.a
}
output "c" {}
output "d" {
  value = each.key
  sensitive = "yes please"
}
output "e" {
  value = self
}
output "f" {
  value = count.index
}
output "g" {
  value = path.nope
}
output "h" {
  value = terraform.nope
}
output "i" {
  value = path
}
output "j" {
  value = var
}
output "k" {
  value = local
}
output "l" {
  value = module
}
output "m" {
  value = data.x
}
output "n" {
  value = terraform_data
}
output "o" {
  value = data
}
output "p" {
  value = x
}
output "q" {
  value = resource.terraform_data
}
output "r" {
  value = ephemeral.x.y
}
output "s" {
  value = template.x
}
output "t" {
  value = lazy
}
output "u" {
  value = provider.x
}
