mock_provider "random" {
  source = "./mocks"
}
run "one" {
  assert {
    condition     = output.pet == "from file" && random_id.i.hex == "abcd"
    error_message = "is ${output.pet} ${random_id.i.hex}"
  }
}
