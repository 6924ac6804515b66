variable "template" {
  default = "Hello, $${name}! %%{ for n in numbers }[$${n}]%%{ endfor }"
}
output "core" { value = [core::upper("a"), core::max(1, 2), core::length(core::split(",", "a,b"))] }
output "expansion" { value = [max([1, 5, 3]...), concat([["a"], ["b"]]...), format("%s-%s", ["x", "y"]...), join("/", [["a"], ["b"]]...)] }
output "templatestring" { value = templatestring(var.template, { name = "W", numbers = [1, 2] }) }
output "ephemeralasnull" { value = ephemeralasnull("kept") }
