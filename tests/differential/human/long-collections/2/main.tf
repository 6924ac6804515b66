resource "terraform_data" "r" {
  input = {
    list = [for i in range(12) : i == 5 ? "changed" : "element ${i}"]
    map  = { for i in range(12) : "key${i}" => i == 7 ? 700 : i }
    text = join("\n", [for i in range(20) : i == 10 ? "changed" : "line ${i}"])
    nest = [for i in range(3) : { id = i, name = i == 1 ? "changed" : "n${i}", tags = ["t${i}"] }]
  }
}
