mock_provider "random" {
  source = "./mocks"
}
run "one" {
}
