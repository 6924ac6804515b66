run "1one" {
}
