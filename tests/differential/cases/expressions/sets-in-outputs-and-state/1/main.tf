locals {
  strings = toset(["b", "a", "B", "ä", "10", "9", "", "aa"])
  numbers = toset([10, 9, -1, 0.5, 1e3, 100])
  bools   = toset([true, false])
  objects = toset([{ n = "b", v = 2 }, { n = "a", v = 3 }, { n = "a", v = 1 }])
  lists   = toset([["b"], ["a", "c"], ["a"], []])
  sets    = toset([toset(["z", "y"]), toset(["a"])])
  maps    = toset([tomap({ z = "1" }), tomap({ a = "2" }), tomap({})])
}

resource "terraform_data" "sets" {
  input = { strings = local.strings, numbers = local.numbers, bools = local.bools, objects = local.objects, lists = local.lists, sets = local.sets, maps = local.maps }
}

output "strings" { value = local.strings }
output "numbers" { value = local.numbers }
output "bools" { value = local.bools }
output "objects" { value = local.objects }
output "lists" { value = local.lists }
output "as_lists" { value = { s = tolist(local.strings), n = tolist(local.numbers), o = tolist(local.objects), f = [for s in local.strings : s] } }
output "json" { value = jsonencode([local.strings, local.numbers, local.objects, local.lists]) }
output "joined" { value = join(" ", local.strings) }
