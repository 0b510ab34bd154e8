//! Classes of the models.

use std::sync::LazyLock;

/// The 80 classes of COCO, in the detector's order.
pub const COCO: [&str; 80] = [
    "person",
    "bicycle",
    "car",
    "motorcycle",
    "airplane",
    "bus",
    "train",
    "truck",
    "boat",
    "traffic light",
    "fire hydrant",
    "stop sign",
    "parking meter",
    "bench",
    "bird",
    "cat",
    "dog",
    "horse",
    "sheep",
    "cow",
    "elephant",
    "bear",
    "zebra",
    "giraffe",
    "backpack",
    "umbrella",
    "handbag",
    "tie",
    "suitcase",
    "frisbee",
    "skis",
    "snowboard",
    "sports ball",
    "kite",
    "baseball bat",
    "baseball glove",
    "skateboard",
    "surfboard",
    "tennis racket",
    "bottle",
    "wine glass",
    "cup",
    "fork",
    "knife",
    "spoon",
    "bowl",
    "banana",
    "apple",
    "sandwich",
    "orange",
    "broccoli",
    "carrot",
    "hot dog",
    "pizza",
    "donut",
    "cake",
    "chair",
    "couch",
    "potted plant",
    "bed",
    "dining table",
    "toilet",
    "tv",
    "laptop",
    "mouse",
    "remote",
    "keyboard",
    "cell phone",
    "microwave",
    "oven",
    "toaster",
    "sink",
    "refrigerator",
    "book",
    "clock",
    "vase",
    "scissors",
    "teddy bear",
    "hair drier",
    "toothbrush",
];

/// The 1,000 classes of ImageNet, in the classifier's order.
pub static IMAGENET: LazyLock<Vec<&str>> = LazyLock::new(|| include_str!("imagenet.txt").lines().collect());

/// Plural of a label.
pub fn plural(label: &str) -> String {
    match label {
        "person" => "people".to_owned(),
        "mouse" => "mice".to_owned(),
        "knife" => "knives".to_owned(),
        "sheep" | "skis" | "scissors" | "broccoli" => label.to_owned(),
        _ if label.ends_with(['s', 'x']) || label.ends_with("ch") || label.ends_with("sh") => format!("{label}es"),
        _ => format!("{label}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_are_complete() {
        assert_eq!(IMAGENET.len(), 1_000);
        assert_eq!(
            (IMAGENET[0], IMAGENET[281], IMAGENET[999]),
            ("tench", "tabby", "toilet tissue")
        );
        assert_eq!((COCO[0], COCO[79]), ("person", "toothbrush"));
    }

    #[test]
    fn plurals_are_english() {
        for (one, many) in [
            ("bus", "buses"),
            ("bench", "benches"),
            ("car", "cars"),
            ("person", "people"),
            ("toothbrush", "toothbrushes"),
        ] {
            assert_eq!(plural(one), many);
        }
    }
}
