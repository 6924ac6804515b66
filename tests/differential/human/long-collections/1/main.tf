resource "terraform_data" "r" {
  input = {
    list = [for i in range(12) : "element ${i}"]
    map  = { for i in range(12) : "key${i}" => i }
    text = join("\n", [for i in range(20) : "line ${i}"])
    nest = [for i in range(3) : { id = i, name = "n${i}", tags = ["t${i}"] }]
  }
}
