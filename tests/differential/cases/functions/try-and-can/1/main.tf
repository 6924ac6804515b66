locals {
  object = { a = { b = 1 } }
  list   = ["x"]
}

output "try" {
  value = [
    try(local.object.a.b, "no"),
    try(local.object.z.b, "no such attribute"),
    try(local.list[5], "no such index"),
    try(tonumber("x"), tonumber("y"), 7),
    try(jsondecode("{"), {}),
    try(regex("z", "a"), null),
  ]
}

output "can" {
  value = [can(local.object.a), can(local.object.z), can(local.list[0]), can(local.list[1]), can(tonumber("x")), can(regex("^a", "abc"))]
}
