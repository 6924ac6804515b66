variable "s" {
  default   = "secret"
  sensitive = true
}
output "o01" {
  value = issensitive(upper(var.s))
}
output "o02" {
  value = issensitive(length(var.s))
}
output "o03" {
  value = issensitive([var.s])
}
output "o04" {
  value = issensitive(length([var.s]))
}
output "o05" {
  value = issensitive(keys({a = var.s}))
}
output "o06" {
  value = issensitive(values({a = var.s})[0])
}
output "o07" {
  value = issensitive(merge({a = var.s}, {b = 1}).b)
}
output "o08" {
  value = issensitive(concat([var.s], ["x"])[1])
}
output "o09" {
  value = issensitive(lookup({a = var.s, b = 1}, "b"))
}
output "o10" {
  value = issensitive(flatten([[var.s], ["x"]])[1])
}
output "o11" {
  value = issensitive(nonsensitive(var.s))
}
output "o12" {
  value = issensitive(try(var.s, 1))
}
output "o13" {
  value = issensitive(can(var.s))
}
output "o14" {
  value = issensitive(jsonencode({a = var.s}))
}
output "o15" {
  value = issensitive(toset([var.s, "x"]))
}
output "o16" {
  value = issensitive(zipmap(["a"], [var.s]).a)
}
output "o17" {
  value = issensitive(element([var.s, "x"], 1))
}
output "o18" {
  value = issensitive(setproduct(["a"], [var.s]))
}
output "o19" {
  value = issensitive(coalesce("", "b", var.s))
}
output "o20" {
  value = issensitive(contains(["a"], var.s))
}
output "o21" {
  value = issensitive(format("%s", var.s))
}
output "o22" {
  value = issensitive(sum([length(var.s)]))
}
output "o23" {
  value = issensitive(distinct([var.s, "x"]))
}
output "o24" {
  value = issensitive(slice([var.s, "x"], 1, 2)[0])
}
output "o25" {
  value = issensitive(one([var.s]))
}
