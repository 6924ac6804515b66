resource "terraform_data" "b" {
  input = { x = 2, y = 2 }
  lifecycle {
    ignore_changes = [input.x]
  }
}
resource "terraform_data" "each" {
  for_each = { first = 10, second = 11, third = 12 }
  input    = each.value
  lifecycle {
    ignore_changes = [input]
  }
}
moved {
  from = terraform_data.a
  to   = terraform_data.b
}
moved {
  from = terraform_data.list[0]
  to   = terraform_data.each["first"]
}
moved {
  from = terraform_data.list[1]
  to   = terraform_data.each["second"]
}
