locals {
  none    = distinct(flatten([for name in [] : [name]]))
  objects = distinct(flatten([[{ name = "a", roles = ["x"] }]]))
}

output "behind" {
  value = concat(local.none, local.objects)
}

output "before" {
  value = concat(local.objects, tolist([]))
}

output "between" {
  value = concat(tolist([]), tolist(["x"]), tolist([]), tolist([1]))
}

output "alone" {
  value = concat(tolist([]), local.none)
}

output "deep" {
  value = concat(tolist([]), tolist([{ a = tolist([]) }]), tolist([{ a = tolist([]) }]))
}

output "by_key" {
  value = { for one in concat(local.none, local.objects) : one.name => one.roles }
}

output "astray" {
  value = can(concat(tolist([]), local.objects, tolist(["x"])))
}

output "product_astray" {
  value = can(setproduct([tolist([]), tolist(["x"])], ["y"]))
}
