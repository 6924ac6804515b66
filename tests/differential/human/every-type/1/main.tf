resource "terraform_data" "types" {
  input = {
    string       = "text"
    empty        = ""
    number       = 1.5
    bool         = true
    null         = null
    list         = ["a", "b", "c"]
    empty_list   = []
    typed_list   = tolist(["x", "y"])
    set          = toset(["m", "n"])
    map          = tomap({ k = "v", "odd key" = "w" })
    empty_map    = {}
    object       = { a = 1, b = { c = ["d", { e = "f" }] } }
    list_of_maps = [{ name = "one", size = 1 }, { name = "two", size = 2 }]
    multi        = "first line\nsecond line\nthird line\n"
    json         = jsonencode({ a = 1, b = ["x", "y"], c = { d = true } })
    quoted       = "with \"quotes\", ${"$"}{dollar} and \\ backslash"
    large        = 123456789012345678901234567890
    third        = 1 / 3
  }
}

output "types" {
  value = terraform_data.types.input
}
