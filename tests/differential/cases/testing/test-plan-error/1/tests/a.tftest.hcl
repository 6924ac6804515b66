run "one" {
}
