run "one" {
}
run "one" {
}
