run "x" {
 bogus = 1
}
run "x" {
}
run "bad name" {
}
block {
}
run "y" {
 command = apply2
}
