a "b" {
x=1
}




c {
      d {
 y=1
}
}
