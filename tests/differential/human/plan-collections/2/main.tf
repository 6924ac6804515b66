resource "terraform_data" "x" {
  input            = "x"
  triggers_replace = 1
}
resource "terraform_data" "list" {
  input = concat([for i in range(5) : "item-${i}"], ["new"], [for i in range(7, 12) : "item-${i}"], ["last"])
}
resource "terraform_data" "objects" {
  input = [{ name = "a", size = 1 }, { name = "new", size = 9 }, { name = "b", size = 3 }, { name = "c", size = 3 }]
}
resource "terraform_data" "set" {
  input = toset(["a", "c", "d", "e"])
}
resource "terraform_data" "set_of_objects" {
  input = toset([{ name = "a", n = 1 }, { name = "b", n = 3 }])
}
resource "terraform_data" "map" {
  input = tomap({ a = "1", bb = "two", dddd = "4" })
}
resource "terraform_data" "deep" {
  input = { level = { list = [[1], [3, 4]], map = { a = { b = { c = "y" } } } }, keep = { a = 1 } }
}
resource "terraform_data" "empty" {
  input = { list = ["a"], map = { k = {} }, text = "t", none = "some" }
}
resource "terraform_data" "to_null" {
}
resource "terraform_data" "unknown" {
  input = ["a", terraform_data.x.id, { c = terraform_data.x.id }]
}
