resource "terraform_data" "x" {
  input = "x"
}
resource "terraform_data" "list" {
  input = [for i in range(12) : "item-${i}"]
}
resource "terraform_data" "objects" {
  input = [{ name = "a", size = 1 }, { name = "b", size = 2 }, { name = "c", size = 3 }]
}
resource "terraform_data" "set" {
  input = toset(["a", "b", "c", "d"])
}
resource "terraform_data" "set_of_objects" {
  input = toset([{ name = "a", n = 1 }, { name = "b", n = 2 }])
}
resource "terraform_data" "map" {
  input = tomap({ a = "1", bb = "2", ccc = "3" })
}
resource "terraform_data" "deep" {
  input = { level = { list = [[1, 2], [3]], map = { a = { b = { c = "x" } } } }, keep = { a = 1 } }
}
resource "terraform_data" "empty" {
  input = { list = [], map = {}, text = "", none = null }
}
resource "terraform_data" "to_null" {
  input = ["a"]
}
resource "terraform_data" "unknown" {
  input = ["a", "b", { c = "d" }]
}
