mock_provider "random" {
}
run "one" {
}
